import { colours, dataColour } from './colours.js'
import { clip, x } from './draw-beside-lines.js'

/** Width of the casing around the line of means, which makes the line visible on top of the strokes. */
const CASING = 3.5

/**
 * Draws the range of each bucket: a stroke from its minimum to its maximum in the full colour, because the peak of a
 * single bucket would be too faint in a tinted band. The lines of the means are drawn later, above all series.
 */
export function drawEnvelopes(plot, series, view) {
  const { ctx: brush, bbox } = plot
  const buckets = series.filter(({ form }) => form === 'buckets')
  brush.save()
  clip(brush, bbox)
  for (const one of buckets) drawStrokes(plot, one, view)
  for (const one of buckets) drawCasing(plot, one, view)
  brush.restore()
}

function drawStrokes(plot, { at, min, max, interval, place }, view) {
  const { ctx: brush } = plot
  const width = Math.max(1, Math.round(devicePixelRatio))
  brush.beginPath()
  for (const [index, time] of at.entries()) {
    const [top, bottom] = [max[index], min[index]].map((value) => plot.valToPos(Number(value), 'y', true))
    // Aligns strokes to whole pixels, which keeps their colour.
    brush.rect(Math.round(x(plot, time + interval / 2, view) - width / 2), top, width, bottom - top)
  }
  brush.fillStyle = dataColour(place)
  brush.fill()
}

function drawCasing(plot, { at, mean, interval, gaps }, view) {
  const { ctx: brush } = plot
  const ends = new Set(gaps.map(([, to]) => to))
  brush.beginPath()
  for (const [index, time] of at.entries()) {
    const place = [x(plot, time + interval / 2, view), plot.valToPos(mean[index], 'y', true)]
    if (index === 0 || ends.has(time)) brush.moveTo(...place)
    else brush.lineTo(...place)
  }
  brush.lineWidth = CASING * devicePixelRatio
  brush.lineJoin = 'round'
  brush.strokeStyle = colours().page
  brush.stroke()
}
