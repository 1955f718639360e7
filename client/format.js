/** Numbers and names as the page shows them. */

/** A number with fixed decimals, a real minus sign, and never "−0.0". */
export function decimal(value, decimals) {
  const rounded = Number(value.toFixed(decimals)); // may be -0, whose own text has no sign
  return rounded.toFixed(decimals).replace("-", "−");
}

export function degrees(value, decimals = 1) {
  return `${decimal(value, decimals)}°`;
}

/** Degrees from north; 359.96 is shown as 0.0, not 360.0. */
export function azimuth(value) {
  return degrees(Number(value.toFixed(1)) % 360);
}

/** For example "48.1° N, 11.6° E, 520 m above sea level". */
export function coordinates({ lat, lon, elevation }) {
  const north = `${Math.abs(lat)}° ${lat < 0 ? "S" : "N"}`;
  const east = `${Math.abs(lon)}° ${lon < 0 ? "W" : "E"}`;
  const height = `${String(elevation).replace("-", "−")} m above sea level`;
  return elevation === 0 ? `${north}, ${east}` : `${north}, ${east}, ${height}`;
}

/** "mars" as a table shows it: "Mars". */
export function title(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
