/** The page's side of sw.js, which keeps it for when there is no network. */

const SINCE = "Offline-Since";

/** Have the page kept, from now on; a browser that refuses loses nothing else by it. */
export function keepOffline() {
  const workers = navigator.serviceWorker; // there is none where the connection is not secure
  if (!workers) {
    return;
  }
  if (!workers.controller) {
    workers.addEventListener("controllerchange", tellWhatWasAsked, { once: true });
  }
  const register = () => workers.register("/sw.js").catch(() => {});
  if (document.readyState === "complete") {
    register();
  } else {
    window.addEventListener("load", register, { once: true }); // the first picture comes first
  }
}

/** @returns {Date | null} when an old answer came, where the server does not give one now */
export function offlineSince(response) {
  const since = response.headers.get(SINCE);
  return since === null ? null : new Date(since);
}

/** Have no answer kept any more for a place that is to be forgotten. @param {string} query */
export function forgetAnswers(query) {
  navigator.serviceWorker?.controller?.postMessage({ forgotten: query });
}

/** What was asked before the worker was there, or is on its way, has passed it by. */
function tellWhatWasAsked() {
  const { controller } = navigator.serviceWorker;
  new PerformanceObserver((list) => {
    const addresses = list
      .getEntries()
      .filter(({ initiatorType, workerStart }) => initiatorType === "fetch" && workerStart === 0)
      .map(({ name }) => name);
    if (addresses.length > 0) {
      controller.postMessage({ asked: addresses });
    }
  }).observe({ type: "resource", buffered: true });
}
