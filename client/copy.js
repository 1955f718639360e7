/**
 * Put a text on the clipboard.
 * @returns {Promise<boolean>} whether the browser allowed it
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text); // absent, too, from a page that came by http
    return true;
  } catch {
    return false;
  }
}
