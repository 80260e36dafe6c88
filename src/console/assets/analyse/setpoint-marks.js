import { colours } from './colours.js'
import { lengthText } from './format.js'

// Draws a setpoint on the time axis: a hollow circle where it was set, a mark for its result, and dots between them.

const UNDER_WAY = ['PENDING', 'SENT', 'ACKNOWLEDGED']
const RADIUS = 4
/** The longest reason in the picture. The table below shows longer ones. */
const LONGEST_REASON = 48

/**
 * Returns the position of the last mark. `x` returns the position of a time, and `scale` is the number of canvas pixels
 * per pixel of the page.
 */
export function drawSetpoint(brush, setpoint, { x, y, now, scale, colour }) {
  const { at, changed, state, before = [] } = setpoint
  const isUnderWay = UNDER_WAY.includes(state)
  const end = x(isUnderWay ? Math.max(now, at) : changed)
  brush.strokeStyle = colour
  brush.fillStyle = colour
  brush.lineWidth = 1.5 * scale
  brush.setLineDash([1, 3].map((one) => one * scale))
  line(brush, x(at), y, end, y)
  brush.setLineDash([])
  const steps = [...before, { state, changed }].filter((one) => one.state !== 'PENDING')
  for (const step of [{ state: 'PENDING', changed: at }, ...steps])
    mark(brush, step.state, x(step.changed), y, { colour, reach: RADIUS * scale })
  return end
}

/** `48.0 pending 12 s`, `48.0 applied after 2 min`, `60.0 rejected: above the limit` */
export function setpointText({ at, changed, state, reason }, value, now) {
  const words = `${value} ${state.toLowerCase()}`
  if (UNDER_WAY.includes(state)) return `${words} ${ageText(now - at)}`
  if (reason !== null && reason.length <= LONGEST_REASON) return `${words}: ${reason}`
  return state === 'APPLIED' ? `${words} after ${ageText(changed - at)}` : words
}

/** Rounded down, as in the table below. */
function ageText(ms) {
  return lengthText(Math.max(0, ms), Math.floor)
}

function mark(brush, state, x, y, { colour, reach }) {
  if (state === 'REJECTED') {
    line(brush, x - reach, y - reach, x + reach, y + reach)
    line(brush, x - reach, y + reach, x + reach, y - reach)
    return
  }
  if (state === 'SUPERSEDED' || state === 'EXPIRED') {
    line(brush, x, y - reach, x, y + reach)
    return
  }
  brush.beginPath()
  brush.arc(x, y, reach, 0, 2 * Math.PI)
  brush.fillStyle = state === 'APPLIED' ? colour : colours().page
  brush.fill()
  brush.stroke()
  if (state === 'SENT') fillArc(brush, x, y, { colour, radius: reach / 2.5, end: 2 * Math.PI })
  if (state === 'ACKNOWLEDGED') fillArc(brush, x, y, { colour, radius: reach, end: Math.PI })
}

function fillArc(brush, x, y, { colour, radius, end }) {
  brush.beginPath()
  brush.arc(x, y, radius, 0, end)
  brush.fillStyle = colour
  brush.fill()
}

export function line(brush, left, top, right, bottom) {
  brush.beginPath()
  brush.moveTo(left, top)
  brush.lineTo(right, bottom)
  brush.stroke()
}
