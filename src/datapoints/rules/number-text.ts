/** JSON.stringify makes 0 of -0, though JSON can say it: the sign of what was sent would be lost. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
