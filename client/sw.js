"use strict";

/**
 * The service worker: it keeps the page's files and the last answers, so that the page opens
 * without a network. A classic script, since not every browser takes a module here.
 */

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(told(event.data)));
self.addEventListener("fetch", (event) => {
  const reply = replyTo(event);
  if (reply) {
    event.respondWith(reply);
  }
});

/** @returns {Promise<Response> | null} null for what is none of the page's: the network answers */
function replyTo(event) {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) {
    return null;
  }
  if (request.mode === "navigate") {
    return ["/", "/index.html"].includes(url.pathname) ? pageItself(request) : null;
  }
  if (isAnswer(url)) {
    return answer(event);
  }
  const isFile = request.destination !== "" || url.pathname === "/cities.json";
  return isFile && isKept(url.pathname) ? file(request) : null;
}

/** A reply differs by Accept-Encoding alone, which is no matter here: bodies are kept decoded. */
const ANY_CODING = { ignoreVary: true };

function isJson(response) {
  return response.ok && (response.headers.get("Content-Type") ?? "").startsWith("application/json");
}

/*
 * The page's files are one version, kept whole or not at all: /files.json lists the entity tag of
 * each. Whenever the page is opened it is asked for that list, one small reply, and what has
 * changed is fetched before the page is shown: online the page is never an old one, nor half of one.
 */

const LIST = "/files.json";
const VERSION = "files ";
/** Other pages' files, and what only an installation needs. */
const NOT_KEPT = /^\/(sw\.js|docs\.css|.*\.png)$/;
const LIST_PATIENCE_MS = 1500;
const CHANGES_PATIENCE_MS = 5000;

function isKept(path) {
  return !NOT_KEPT.test(path);
}

async function install() {
  await build(await fetch(LIST, { cache: "no-cache" }));
  await self.skipWaiting();
}

async function pageItself(request) {
  await update();
  return (await caches.match("/", ANY_CODING)) ?? fetch(request);
}

async function file(request) {
  return (await caches.match(new URL(request.url).pathname, ANY_CODING)) ?? fetch(request);
}

/** Keep the newest version. Without a network, or by a slow one, the version before stays. */
async function update() {
  try {
    const list = await fetch(LIST, {
      cache: "no-cache",
      signal: AbortSignal.timeout(LIST_PATIENCE_MS),
    });
    if (isJson(list)) {
      await build(list, AbortSignal.timeout(CHANGES_PATIENCE_MS));
    } else if (list.status < 500) {
      await leave();
    }
  } catch {
    // it is tried again the next time that the page is opened
  }
}

/** Another service has this address now, as happens to a port of a developer's machine. */
async function leave() {
  await self.registration.unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

/**
 * Make the version that a list is of, unless it is there. The policy belongs to it, as the tags do.
 * @param {Response} list
 * @param {AbortSignal} [signal]
 */
async function build(list, signal) {
  const name = `${VERSION}${tagOf(list)} ${policyOf(list)}`;
  const version = await caches.open(name);
  if (await version.match(LIST, ANY_CODING)) {
    return;
  }
  const tags = Object.entries(await list.clone().json()).filter(([path]) => isKept(path));
  await Promise.all(
    tags.map(async ([path, tag]) => {
      const address = path === "/index.html" ? "/" : path;
      const policies = [policyOf(list), null]; // what is no document has none
      const isListed = (file) => tagOf(file) === tag && policies.includes(policyOf(file));
      await version.put(address, await newest(address, isListed, signal));
    }),
  );
  await version.put(LIST, list); // the last: with it the version is whole
  const others = (await caches.keys()).filter((each) => each.startsWith(VERSION) && each !== name);
  await Promise.all(others.map((each) => caches.delete(each)));
}

/**
 * The file that is listed: of the version before, of the browser's own cache, to which the page has
 * just brought it, or else of the server.
 */
async function newest(path, isListed, signal) {
  const sources = [
    () => caches.match(path, ANY_CODING),
    () => fetch(path, { cache: "force-cache", signal }),
    () => fetch(path, { cache: "no-cache", signal }),
  ];
  for (const source of sources) {
    const response = await source();
    if (response?.ok && isListed(response)) {
      return response;
    }
  }
  throw new Error(`${path} is not the one that is listed.`);
}

/** The entity tag without what the coding, or a server in between, makes of it. */
function tagOf(response) {
  return (response.headers.get("ETag") ?? "").replace(/^W\//, "").replace(/-gzip"$/, '"');
}

function policyOf(response) {
  return response.headers.get("Content-Security-Policy");
}

/*
 * The answers come from the server as long as it answers; an old one is marked with the time when
 * it came, by which the page knows it, and says so.
 */

const ANSWERS = "answers";
const ANSWERED = /^\/(planets|stars|almanac|identify|planets\/[a-z]+\/track)$/;
const SINCE = "Offline-Since";
/** Less than the page's own, which would rather have an old answer than none. */
const PATIENCE_MS = 4000;
/** The live sky is asked for every 2 seconds; a phone's storage need not wear by each of them. */
const PAUSE_MS = 30_000;
const KEPT_OF_A_KIND = 3;
const KEPT = 60;
/** Some 5 km: two fixes of one device differ by metres, and in 5 km the sky turns by 0.05°. */
const NEAR_DEG = 0.05;

/** When each address was last kept. */
const written = new Map();

function isAnswer({ pathname }) {
  return ANSWERED.test(pathname);
}

async function answer(event) {
  const url = new URL(event.request.url);
  const asked = fetch(event.request);
  event.waitUntil(asked.then((reply) => keep(url, reply)).catch(() => {}));
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const reply = await Promise.race([asked, patience]).catch(() => undefined);
  if (reply && reply.status < 500) {
    return reply;
  }
  return (await lastAnswer(url)) ?? reply ?? asked.catch(nothing);
}

/** No answer. Not an error, each of which would be a line in the console. */
function nothing() {
  return new Response(null, { status: 204 });
}

/** The last answer to the question or, of a place found by the device, to one asked nearby. */
async function lastAnswer(url) {
  const answers = await caches.open(ANSWERS);
  const exact = await answers.match(url, ANY_CODING);
  if (exact) {
    return exact;
  }
  const newestFirst = (await answers.keys()).reverse();
  const near = newestFirst.find((request) => isNear(new URL(request.url), url));
  return near && answers.match(near, ANY_CODING);
}

function isNear(one, other) {
  const distance = (name) => Math.abs(degrees(one, name) - degrees(other, name));
  return (
    one.pathname === other.pathname &&
    allButDegrees(one) === allButDegrees(other) &&
    distance("lat") <= NEAR_DEG &&
    distance("lon") <= NEAR_DEG
  );
}

/** NaN without it, which is near to nothing. */
function degrees(url, name) {
  return Number.parseFloat(url.searchParams.get(name));
}

function allButDegrees(url) {
  return [...url.searchParams].filter(([name]) => name !== "lat" && name !== "lon").join("&");
}

async function keep(url, reply) {
  if (!isJson(reply) || Date.now() - (written.get(url.href) ?? 0) < PAUSE_MS) {
    return;
  }
  const copy = reply.clone();
  written.set(url.href, Date.now());
  const headers = new Headers(copy.headers);
  headers.set(SINCE, new Date().toISOString());
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  const answers = await caches.open(ANSWERS);
  await answers.put(url, new Response(await copy.blob(), { headers }));
  await prune(answers);
}

/** @param {{asked?: string[], forgotten?: string}} message of the page, see offline.js */
async function told({ asked = [], forgotten }) {
  await keepAll(asked);
  if (forgotten !== undefined) {
    const place = placeOf(new URLSearchParams(forgotten));
    await drop(await caches.open(ANSWERS), ({ searchParams }) => placeOf(searchParams) === place);
  }
}

/** What the page asked before this worker was there. */
async function keepAll(addresses) {
  const urls = addresses.map((address) => new URL(address)).filter(isAnswer);
  await Promise.allSettled(urls.map(async (url) => keep(url, await fetch(url))));
}

/** Drop the oldest of each kind, and the oldest of all. */
async function prune(answers) {
  const counts = new Map();
  await drop(answers, (url, index) => {
    const kind = kindOf(url);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return index >= KEPT || counts.get(kind) > KEPT_OF_A_KIND;
  });
}

/** @param {(url: URL, index: number) => boolean} isUnwanted which is asked about the newest first */
async function drop(answers, isUnwanted) {
  const newestFirst = (await answers.keys()).reverse();
  const unwanted = newestFirst.filter(({ url }, index) => isUnwanted(new URL(url), index));
  await Promise.all(unwanted.map((request) => answers.delete(request, ANY_CODING)));
  for (const { url } of unwanted) {
    written.delete(url);
  }
}

/** Who plays with the time asks for many skies, none of which may push out that of now. */
function kindOf({ pathname, searchParams }) {
  return [pathname, placeOf(searchParams), searchParams.has("time")].join(" ");
}

function placeOf(searchParams) {
  return ["lat", "lon", "elevation"].map((name) => searchParams.get(name)).join(" ");
}
