import { counted } from '../../../lib/counted.ts'

/** How long to wait, as people say it: `20 seconds`, `2 minutes`. */
export function waitText(seconds: number): string {
  return seconds <= 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
}
