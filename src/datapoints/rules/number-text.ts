/** Writes a number as JSON text. JSON.stringify would write -0 as 0 and so lose its sign. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
