import { cursorOf } from '../datapoints/cursor.ts'

/** X-Service-Change of setpoints: the highest number of what was changed. Told apart from that of datapoints. */
export function setpointCursor(change: number): string {
  return `s${cursorOf(change)}`
}
