import { findGaps, MOST_RAW, wholeOf, wholeOfValues } from './computed.js'
import { larger, smaller } from './figures.js'

// Keeps the window up to date while points arrive. The result is always the same as after a new reading. If this code
// cannot compute it, it marks the series as stale, and the page reads the series again.

/** Moves a window that ends at the present, and drops the points that are no longer in it. */
export function moveWindow(data, now) {
  if (now <= data.to) return
  const before = data.to
  if (!data.keepsFrom) data.from += now - data.to
  data.to = data.now = now
  data.events = data.events.filter((one) => one.isOpen || one.to >= data.from)
  for (const series of data.series) {
    const due = series.later.filter(([at]) => at < now)
    series.later = series.later.filter(([at]) => at >= now)
    for (const [at, value] of due) take(series, data, at, value)
    series.bounds = within(
      series.bounds.map((one) => (one.to >= before ? { ...one, to: now } : one)),
      data,
    )
    series.refused = series.refused.filter(({ to }) => to >= data.from)
    leave(series, data)
    settle(series, data)
  }
}

/** Adds new points, given as `[series, time, value]`. Returns false if the window shows none of them. */
export function addPoints(data, points, now) {
  moveWindow(data, now)
  const byId = new Map(data.series.map((series) => [series.id, series]))
  const changed = new Set()
  for (const [id, at, value] of points) {
    const series = byId.get(id)
    if (series === undefined || series.form === 'texts') continue
    if (at >= data.to) series.later.push([at, value])
    else if (take(series, data, at, value)) changed.add(series)
  }
  for (const series of changed) settle(series, data)
  return changed.size > 0
}

/** Whether a series must be read again. */
export function isStale({ series }) {
  return series.some(({ form, stale, at, counts, later }) => {
    if (stale || later.length > MOST_RAW) return true
    if (form === 'raw') return at.length > MOST_RAW + 1
    return form === 'buckets' && sumOf(counts) <= MOST_RAW
  })
}

function take(series, data, at, value) {
  if (series.form === 'states') return takeState(series, at, value)
  if (series.form === 'raw') return takeRaw(series, data, at, value)
  return takeIntoBucket(series, data, at, value)
}

function takeRaw(series, { from }, at, value) {
  // The page cannot know whether this is the last value of a setting before the window.
  if (at < from) series.stale ||= series.isSetting
  if (at < from) return false
  let place = series.at.length
  while (place > 0 && series.at[place - 1] >= at) place -= 1
  const isKnown = series.at[place] === at
  if (isKnown && place === 0) series.isHeld = false
  if (isKnown && series.values[place] === value) return false
  series.at.splice(place, Number(isKnown), at)
  series.values.splice(place, Number(isKnown), value)
  return true
}

function takeIntoBucket(series, { from }, at, value) {
  // The point may already be counted in the buckets, or it may be late.
  if (at <= series.lastAt) series.stale ||= at >= from
  if (at <= series.lastAt) return false
  const last = series.at.length - 1
  const begin = series.at[last] ?? Math.floor(at / series.interval) * series.interval
  const bucket = begin + Math.floor((at - begin) / series.interval) * series.interval
  Object.assign(series, { last: value, lastAt: at })
  if (last >= 0 && bucket === begin) {
    series.mean[last] += (Number(value) - series.mean[last]) / ++series.counts[last]
    series.min[last] = smaller(series.min[last], value)
    series.max[last] = larger(series.max[last], value)
  } else {
    series.at.push(bucket)
    series.min.push(value)
    series.mean.push(Number(value))
    series.max.push(value)
    series.counts.push(1)
  }
  return true
}

function takeState(series, at, value) {
  const before = series.runs.findLast(({ from }) => from <= at)
  const isSame = before !== undefined && JSON.stringify(before.value) === JSON.stringify(value)
  // The page cannot know which points of a run come after this one.
  if (!isSame && at <= series.lastAt) series.stale = true
  else if (!isSame) {
    if (before !== undefined) before.to = at
    series.runs.push({ from: at, to: at, value })
  }
  series.lastAt = Math.max(series.lastAt, at)
  return !isSame && !series.stale
}

/** Drops the points before the window. The last value of a setting holds from the left edge on. */
function leave(series, { from, to }) {
  if (series.form === 'states') {
    holdOn(series, to)
    series.runs = within(series.runs, { from })
  }
  const end = series.form === 'buckets' ? series.interval : 0
  const isLeft = (time) => (end === 0 ? time < from : time + end <= from)
  const count = series.at?.findIndex((time) => !isLeft(time)) ?? 0
  const left = count === -1 ? series.at.length : count
  if (left === 0) return
  const held = series.form === 'raw' ? series.values[left - 1] : null
  for (const column of ['at', 'values', 'min', 'mean', 'max', 'counts']) series[column]?.splice(0, left)
  if (series.form !== 'raw') return
  series.isHeld = series.isSetting && series.at[0] !== from
  if (!series.isHeld) return
  series.at.unshift(from)
  series.values.unshift(held)
}

function within(stretches, { from }) {
  return stretches.filter(({ to }) => to > from).map((one) => (one.from < from ? { ...one, from } : one))
}

/** Extends the last state to the present. */
function holdOn({ runs }, to) {
  const last = runs.at(-1)
  if (last !== undefined) last.to = to
}

function settle(series, data) {
  const { form, at, values, isSetting, isHeld, interval } = series
  if (form === 'states') holdOn(series, data.to)
  if (form !== 'raw' && form !== 'buckets') return
  series.whole =
    form === 'raw'
      ? wholeOfValues(isHeld ? values.slice(1) : values)
      : wholeOf(
          at.map((_, index) => ({
            count: series.counts[index],
            min: series.min[index],
            mean: series.mean[index],
            max: series.max[index],
          })),
        )
  series.gaps = isSetting ? [] : findGaps(at, data, interval ?? 0)
}

function sumOf(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0)
}
