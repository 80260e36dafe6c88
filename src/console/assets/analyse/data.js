// The data that the platform has read for the window, with times in milliseconds since 1970, and the points that
// arrived later. Integers beyond the precision of a double are texts. They are drawn as the nearest number.

export async function fetchData(path, search, signal) {
  const asked = Date.now()
  const answer = await fetch(`${path}/data${search}`, { headers: { accept: 'application/json' }, signal })
  const data = await answer.json()
  if (!answer.ok) {
    const error = new Error(data.detail ?? data.title ?? `the platform answered ${answer.status}`)
    throw Object.assign(error, { isFinal: answer.status < 500 })
  }
  // The platform read its clock when the request began, so the time of the reading does not count.
  return { ...unfolded(data), ahead: data.now - asked }
}

export function unfolded(data) {
  // Lines get the data colours in their order.
  const lines = data.series.filter(({ at }) => at !== undefined)
  const series = data.series.map((one) => unfold(one, lines.indexOf(one), data))
  return { ...data, series, ...absolute(data) }
}

function unfold(series, place, { from, to }) {
  let time = from
  const at = series.at?.map((distance) => (time += distance))
  const moved = (one) => ({ ...one, from: one.from + from, to: one.to + from })
  return {
    ...series,
    place,
    at,
    // Only changes of a state are known, so its last point may be at any time up to now.
    lastAt: series.form === 'states' ? to : series.lastAt == null ? -Infinity : series.lastAt + from,
    gaps: series.gaps?.map((gap) => gap.map((time) => time + from)) ?? [],
    runs: series.runs?.map(([begin, end, value]) => ({ from: begin + from, to: end + from, value })),
    bounds: series.bounds.map(moved),
    refused: series.refused.map(moved),
    later: [],
    stale: false,
    setpoints: series.setpoints.map((one) => ({ ...one, at: one.at + from, changed: one.changed + from })),
  }
}

function absolute({ applies, events, from }) {
  return {
    applies: applies.map((one) => ({ ...one, at: one.at + from })),
    events: events.map((one) => ({ ...one, from: one.from + from, to: one.to + from })),
  }
}

/** The reading of a series at a time: its value, its figures, or the reason why there is none. */
export function readAt(series, at) {
  const refused = series.refused.find(({ from, to }) => at >= from && at <= to)
  if (refused !== undefined) return { refused }
  if (series.form === 'states') return { value: series.runs.find(({ from, to }) => at >= from && at <= to)?.value }
  const index = indexAt(series, at)
  if (index < 0 || series.gaps.some(([from, to]) => at > from && at < to)) return {}
  if (series.form === 'raw') return { value: series.values[index] }
  return { value: series.mean[index], min: series.min[index], max: series.max[index] }
}

/** The last reading of a series in the window. */
export function lastOf(series) {
  if (series.form === 'states') return { value: series.runs.at(-1)?.value }
  const index = series.at?.length ? series.at.length - 1 : -1
  if (index < 0) return {}
  return { value: series.form === 'raw' ? series.values[index] : series.last }
}

/**
 * The index of the point that holds at this time or is nearest. For buckets, the index of the bucket that contains the
 * time.
 */
export function indexAt({ at: times, form, isSetting }, at) {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle] <= at) low = middle + 1
    else high = middle
  }
  const before = low - 1
  if (form === 'buckets' || isSetting || low >= times.length) return before
  return before < 0 || times[low] - at < at - times[before] ? low : before
}

/** Updates a setpoint. Its earlier states stay visible. Returns false if nothing is new. */
export function addSetpoint(series, told) {
  const known = series.setpoints.find(({ uuid }) => uuid === told.uuid)
  if (known === undefined) {
    series.setpoints.push(told)
    return true
  }
  if (known.state === told.state && known.changed === told.changed) return false
  known.before = [...(known.before ?? []), { state: known.state, changed: known.changed }]
  Object.assign(known, told)
  return true
}
