// Longer than the browser's own timeout, which does not count while it waits for permission.
const PATIENCE_MS = 15_000;
const OPTIONS = { timeout: 10_000, maximumAge: 600_000 };

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
 * @param {(key: string) => void} failed with the text of what happened and what to do instead
 */
export function locate(found, failed) {
  if (!window.isSecureContext) {
    failed("shell.insecure");
    return;
  }
  if (!navigator.geolocation) {
    failed("shell.absent");
    return;
  }
  const patience = setTimeout(() => failed("shell.slow"), PATIENCE_MS);
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      clearTimeout(patience);
      found(coords);
    },
    (error) => {
      clearTimeout(patience);
      failed(error.code === error.PERMISSION_DENIED ? "shell.refused" : "shell.unknown");
    },
    OPTIONS,
  );
}
