import { colours, dataColour, hatch, tint } from './colours.js'
import { figureText, lengthText } from './format.js'
import { drawSetpoint, setpointText } from './setpoint-marks.js'

// What a lane has beside its lines: gaps and refusals behind them, boundaries and setpoints in front. All sizes are those
// of the canvas, which has several pixels for one of the page.

/** Narrower gaps are only seen as the end of the line. */
const LEAST_GAP = 4

export function drawBehind(plot, series, view) {
  const { ctx: brush, bbox } = plot
  brush.save()
  clip(brush, bbox)
  for (const [from, to] of commonGaps(series)) {
    const [left, right] = [from, to].map((at) => x(plot, at, view))
    if (right - left < LEAST_GAP * devicePixelRatio) continue
    brush.fillStyle = hatch(brush)
    brush.fillRect(left, bbox.top, right - left, bbox.height)
    write(plot, `no data ${lengthText(to - from)}`, (left + right) / 2, bbox.top + bbox.height - 6 * devicePixelRatio, {
      colour: colours().soft,
      align: 'center',
      room: right - left,
    })
  }
  for (const { from, to } of series.flatMap(({ refused }) => refused)) {
    const [left, right] = [from, to].map((at) => x(plot, at, view))
    brush.fillStyle = tint(colours().bad, 0.08)
    brush.fillRect(left, bbox.top, Math.max(right - left, 2), bbox.height)
  }
  brush.restore()
}

/** Where every line of the lane has a gap; the others go on beside it. */
function commonGaps(series) {
  const measured = series.filter(({ isSetting }) => !isSetting)
  const [first, ...rest] = measured
  if (first === undefined) return []
  return rest.reduce((common, { gaps }) => overlaps(common, gaps), first.gaps)
}

function overlaps(some, others) {
  return some.flatMap(([from, to]) =>
    others.map(([begin, end]) => [Math.max(from, begin), Math.min(to, end)]).filter(([start, stop]) => stop > start),
  )
}

export function drawInFront(plot, series, view) {
  const { ctx: brush, bbox } = plot
  brush.save()
  clip(brush, bbox)
  labels.set(plot, [])
  for (const one of series) for (const setpoint of one.setpoints) drawSetpointAt(plot, setpoint, one, view)
  for (const refused of series.flatMap(({ refused }) => refused)) drawRefused(plot, refused, view)
  for (const one of series) for (const bound of one.bounds.toReversed()) drawBound(plot, bound, one, view)
  brush.restore()
}

function drawBound(plot, { name, value, from, to }, series, view) {
  const { ctx: brush, bbox } = plot
  const [left, right] = [Math.max(from, view.from), Math.min(to, view.to)].map((at) => x(plot, at, view))
  if (right <= left) return
  const y = plot.valToPos(value, 'y', true)
  const { bad } = colours()
  const label = `${name} ${figureText(value, series.precision)}`
  const { top, height } = bbox
  const isSeen = y >= top && y <= top + height
  if (isSeen) {
    brush.strokeStyle = bad
    brush.lineWidth = devicePixelRatio
    brush.setLineDash([2, 3].map((one) => one * devicePixelRatio))
    line(brush, left, y, right, y)
  }
  const arrow = isSeen ? '' : y < top ? ' ↑' : ' ↓'
  const place = Math.min(
    Math.max(y - 5 * devicePixelRatio, top + 12 * devicePixelRatio),
    top + height - 4 * devicePixelRatio,
  )
  write(plot, label + arrow, right - 4 * devicePixelRatio, place, { colour: bad, align: 'right', room: right - left })
}

function drawSetpointAt(plot, setpoint, series, view) {
  const y = plot.valToPos(Number(setpoint.value), 'y', true)
  const place = { x: (at) => x(plot, at, view), y, now: Math.min(view.now, view.to), scale: devicePixelRatio }
  const end = drawSetpoint(plot.ctx, setpoint, { ...place, colour: dataColour(series.place) })
  const text = setpointText(setpoint, figureText(Number(setpoint.value), series.precision), view.now)
  write(plot, text, end + 8 * devicePixelRatio, y - 6 * devicePixelRatio, { colour: colours().text, align: 'left' })
}

/** A bar at the foot of the lane, with how many and why. */
function drawRefused(plot, { from, to, count, code }, view) {
  const { ctx: brush, bbox } = plot
  const [left, right] = [from, to].map((at) => x(plot, at, view))
  const bottom = bbox.top + bbox.height
  brush.fillStyle = colours().bad
  const width = Math.max(right - left, 2 * devicePixelRatio)
  brush.fillRect(left, bottom - 6 * devicePixelRatio, width, 6 * devicePixelRatio)
  write(plot, `${count.toLocaleString('en-US')} refused, ${code}`, left + width + 5 * devicePixelRatio, bottom - 3, {
    colour: colours().bad,
    align: 'left',
  })
}

function x(plot, at, { from, to }) {
  const { left, width } = plot.bbox
  return left + ((at - from) / (to - from)) * width
}

/** Where labels stand in a lane. */
const labels = new WeakMap()

/** Whether there is room for one more label; a second one there would hide the first. */
function takes(plot, left, top, width, height) {
  const own = labels.get(plot) ?? []
  const isTaken = own.some(
    (one) =>
      left < one.left + one.width && left + width > one.left && top < one.top + one.height && top + height > one.top,
  )
  if (!isTaken) own.push({ left, top, width, height })
  return !isTaken
}

/** A label is left out where it does not fit; what it names stays, and the table below has it in words. */
function write(plot, text, left, y, { colour, align, room = Infinity }) {
  const { ctx: brush, bbox } = plot
  brush.font = `${12 * devicePixelRatio}px ${colours().sans}`
  const { width } = brush.measureText(text)
  if (width > room) return
  const right = bbox.left + bbox.width
  // It stays within the lane.
  const isOut = align === 'left' && left + width > right
  brush.textAlign = isOut ? 'right' : align
  brush.textBaseline = 'alphabetic'
  brush.lineWidth = 3 * devicePixelRatio
  brush.setLineDash([])
  brush.strokeStyle = colours().page
  const place = isOut ? right - 2 * devicePixelRatio : left
  const begin = brush.textAlign === 'left' ? place : place - width / (brush.textAlign === 'center' ? 2 : 1)
  const height = 13 * devicePixelRatio
  if (!takes(plot, begin, y - height, width, height)) return
  brush.strokeText(text, place, y)
  brush.fillStyle = colour
  brush.fillText(text, place, y)
}

function clip(brush, { left, top, width, height }) {
  brush.beginPath()
  brush.rect(left, top, width, height)
  brush.clip()
}

function line(brush, left, top, right, bottom) {
  brush.beginPath()
  brush.moveTo(left, top)
  brush.lineTo(right, bottom)
  brush.stroke()
}
