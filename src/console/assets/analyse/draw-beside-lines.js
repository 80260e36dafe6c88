import { colours, dataColour, hatch, tint } from './colours.js'
import { exactText, figureText } from './figures.js'
import { lengthText } from './format.js'
import { drawSetpoint, line, setpointText } from './setpoint-marks.js'

// Draws everything in a lane except its lines: gaps and rejections behind the lines, boundaries and setpoints in front.
// All sizes are pixels of the canvas, which are smaller than pixels of the page on a dense screen.

/** The narrowest gap that is drawn, in pixels of the page. */
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
    brush.fillRect(left, bbox.top, Math.max(right - left, 2 * devicePixelRatio), bbox.height)
  }
  brush.restore()
}

/** The gaps that all lines of the lane share. */
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
  for (const bound of boundsOf(plot, series, view)) drawBound(plot, bound)
  brush.restore()
}

/**
 * Boundaries within the scale come first, because their labels belong to lines. The other labels use the space that is
 * left.
 */
function boundsOf(plot, series, view) {
  const { top, height } = plot.bbox
  return series
    .flatMap((one) => one.bounds.toReversed().map((bound) => placed(plot, bound, one, series, view)))
    .filter(({ left, right }) => right > left)
    .map((bound) => ({ ...bound, isSeen: bound.y >= top && bound.y <= top + height }))
    .sort((one, other) => Number(other.isSeen) - Number(one.isSeen))
}

function placed(plot, { name, value, from, to }, series, all, view) {
  const [left, right] = [Math.max(from, view.from), Math.min(to, view.to)].map((at) => x(plot, at, view))
  const text = `${ownerOf(series, all)}${name} ${figureText(value, series.precision)}`
  const colour = all.length > 1 ? dataColour(series.place) : colours().bad
  return { left, right, text, colour, y: plot.valToPos(Number(value), 'y', true) }
}

/** The name of the series that a boundary belongs to, if the lane has several lines. */
function ownerOf({ name, of }, all) {
  if (all.length === 1) return ''
  return all.filter((one) => one.name === name).length === 1 ? `${name} ` : `${name} ${of} `
}

function drawBound(plot, { left, right, text, colour, y, isSeen }) {
  const { ctx: brush, bbox } = plot
  const { top, height } = bbox
  const [above, below] = [5, 15].map((one) => one * devicePixelRatio)
  const end = right - 4 * devicePixelRatio
  const style = { colour: colours().bad, align: 'right', room: end - bbox.left }
  if (!isSeen) {
    const isHigh = y < top
    // Each further place is one line of text away from the edge.
    const places = [0, 1, 2, 3, 4].map((row) => (isHigh ? 12 + row * 15 : -4 - row * 15) * devicePixelRatio)
    const edge = isHigh ? top : top + height
    places.some((place) => write(plot, `${text} ${isHigh ? '↑' : '↓'}`, end, edge + place, style))
    return
  }
  brush.strokeStyle = colour
  brush.lineWidth = devicePixelRatio
  brush.setLineDash([2, 3].map((one) => one * devicePixelRatio))
  line(brush, left, y, right, y)
  const places = [y - above, y + below].filter(
    (place) => place >= top + 12 * devicePixelRatio && place <= top + height - 2 * devicePixelRatio,
  )
  const ends = [end, end - (right - left) / 2]
  ends.some((one) => places.some((place) => write(plot, text, one, place, { ...style, room: one - bbox.left })))
  // Other labels must not overlap the line or this label.
  labels.get(plot).push({ left, top: y - above, width: right - left, height: below })
}

function drawSetpointAt(plot, setpoint, series, view) {
  const y = plot.valToPos(Number(setpoint.value), 'y', true)
  const place = { x: (at) => x(plot, at, view), y, now: Math.min(view.now, view.to), scale: devicePixelRatio }
  const end = drawSetpoint(plot.ctx, setpoint, { ...place, colour: dataColour(series.place) })
  const text = setpointText(setpoint, exactText(setpoint.value, series.precision), view.now)
  write(plot, text, end + 8 * devicePixelRatio, y - 6 * devicePixelRatio, { colour: colours().text, align: 'left' })
}

/** Draws a bar at the bottom of the lane, with the number of rejections and their code. */
function drawRefused(plot, { from, to, count, code }, view) {
  const { ctx: brush, bbox } = plot
  const [left, right] = [from, to].map((at) => x(plot, at, view))
  const bottom = bbox.top + bbox.height
  brush.fillStyle = colours().bad
  const width = Math.max(right - left, 2 * devicePixelRatio)
  brush.fillRect(left, bottom - 6 * devicePixelRatio, width, 6 * devicePixelRatio)
  write(
    plot,
    `${count.toLocaleString('en-US')} refused, ${code}`,
    left + width + 5 * devicePixelRatio,
    bottom - 3 * devicePixelRatio,
    {
      colour: colours().bad,
      align: 'left',
    },
  )
}

/** The x position of a time on the canvas. */
export function x(plot, at, { from, to }) {
  const { left, width } = plot.bbox
  return left + ((at - from) / (to - from)) * width
}

/** The positions of the labels of each lane. */
const labels = new WeakMap()

/** Whether there is room for another label. Overlapping labels would hide each other. */
function takes(plot, left, top, width, height) {
  const own = labels.get(plot) ?? []
  const isTaken = own.some(
    (one) =>
      left < one.left + one.width && left + width > one.left && top < one.top + one.height && top + height > one.top,
  )
  if (!isTaken) own.push({ left, top, width, height })
  return !isTaken
}

/** Writes a label if it fits, and returns whether it did. The table below has all labels as text. */
function write(plot, text, left, y, { colour, align, room = Infinity }) {
  const { ctx: brush, bbox } = plot
  brush.font = `${12 * devicePixelRatio}px ${colours().sans}`
  const { width } = brush.measureText(text)
  if (width > room) return false
  const right = bbox.left + bbox.width
  // Keeps the label within the lane.
  const isOut = align === 'left' && left + width > right
  brush.textAlign = isOut ? 'right' : align
  brush.textBaseline = 'alphabetic'
  brush.lineWidth = 3 * devicePixelRatio
  brush.setLineDash([])
  brush.strokeStyle = colours().page
  const place = isOut ? right - 2 * devicePixelRatio : left
  const begin = brush.textAlign === 'left' ? place : place - width / (brush.textAlign === 'center' ? 2 : 1)
  const height = 13 * devicePixelRatio
  if (!takes(plot, begin, y - height, width, height)) return false
  brush.strokeText(text, place, y)
  brush.fillStyle = colour
  brush.fillText(text, place, y)
  return true
}

export function clip(brush, { left, top, width, height }) {
  brush.beginPath()
  brush.rect(left, top, width, height)
  brush.clip()
}
