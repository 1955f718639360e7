// Longer than the browser's own timeout, which does not count while it waits for permission.
const PATIENCE_MS = 15_000;
const OPTIONS = { timeout: 10_000, maximumAge: 600_000 };

const INSTEAD = "Type a place instead";
const ABSENT = `This browser cannot report its place. ${INSTEAD}.`;
const INSECURE = `A browser reports its place only to a page opened by https. ${INSTEAD}.`;
const REFUSED =
  "The browser did not allow its place to be used. " +
  `${INSTEAD}, or allow it in the browser’s settings.`;
const UNKNOWN = `The browser does not know its place at the moment. ${INSTEAD}, or try again.`;
const SLOW = `The browser has not reported its place yet. ${INSTEAD}, or go on waiting.`;

/** Whether asking for the place would bring up no prompt. */
export async function alreadyAllowed() {
  try {
    const permission = await navigator.permissions.query({ name: "geolocation" });
    return permission.state === "granted";
  } catch {
    return false; // older browsers have no such question
  }
}

/**
 * Ask the browser for its place. After a silence `failed` is called, and `found` still may be.
 * @param {(coords: GeolocationCoordinates) => void} found
 * @param {(sentence: string) => void} failed with what happened and what to do instead
 */
export function locate(found, failed) {
  if (!window.isSecureContext) {
    failed(INSECURE);
    return;
  }
  if (!navigator.geolocation) {
    failed(ABSENT);
    return;
  }
  const patience = setTimeout(() => failed(SLOW), PATIENCE_MS);
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      clearTimeout(patience);
      found(coords);
    },
    (error) => {
      clearTimeout(patience);
      failed(error.code === error.PERMISSION_DENIED ? REFUSED : UNKNOWN);
    },
    OPTIONS,
  );
}
