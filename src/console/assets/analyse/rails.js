import { make } from './elements.js'
import { momentText } from './format.js'

/**
 * The rows above the lanes with applies and events. A label is hidden if it would overlap another one. A mark is never
 * hidden.
 */
export class Rails {
  #marks = []
  #lines

  constructor(place, { applies, events }, lines, clock) {
    this.#lines = lines
    if (applies.length > 0)
      this.#add(
        place,
        'Applies',
        applies.map((apply) => this.#apply(apply, clock)),
      )
    if (events.length > 0)
      this.#add(
        place,
        'Events',
        events.map((event) => eventMark(event, clock)),
      )
  }

  #add(place, name, marks) {
    place.append(make('div.rail', {}, make('span.rail-name', {}, name), ...marks.map(({ element }) => element)))
    this.#marks.push(marks)
  }

  #apply({ at, label, href }, clock) {
    const title = `Apply ${label}, ${clock.day(at)} ${clock.minutes(at)}`
    const element = make(
      'a.apply',
      { href, title },
      make('span.diamond', { 'aria-hidden': 'true' }),
      make('code', {}, label),
    )
    const line = make('div.apply-line')
    this.#lines.append(line)
    return { element, title, line, from: at, to: at }
  }

  /** `x` returns the position of a time in pixels. An event that has not ended extends to now. */
  place(x, width, now) {
    for (const marks of this.#marks) {
      for (const mark of marks) if (mark.isOpen) mark.to = now
      const ordered = apart(marks.filter(isSeenAt(x)), x)
      for (const [index, { element, from, to }] of ordered.entries()) {
        const [left, right] = [x(from), x(to)]
        const begin = Math.max(left, x.left)
        const next = ordered[index + 1]
        const words = 8 + 7.5 * element.textContent.length
        // At the right edge, a label is on the left of its mark.
        const before = ordered[index - 1]
        const last = before === undefined ? x.left : x(before.to) + 8 + 7.5 * before.element.textContent.length
        const isTurned = next === undefined && width - begin < words && begin - last > words
        element.classList.toggle('turned', isTurned)
        const room = isTurned ? Infinity : (next === undefined ? width : x(next.from)) - begin
        element.style.left = `${begin}px`
        element.style.setProperty('--length', `${Math.max(2, Math.min(right, x.right) - begin)}px`)
        element.classList.toggle('bare', room < words)
      }
    }
  }
}

/** Hides marks outside of the picture. */
function isSeenAt(x) {
  return ({ element, line, from, to }) => {
    const isSeen = x(to) >= x.left - 1 && x(from) <= x.right + 1
    element.hidden = !isSeen
    if (line) {
      line.hidden = !isSeen
      line.style.left = `${x(from)}px`
    }
    return isSeen
  }
}

/** The smallest distance of two links that can be clicked separately (WCAG 2.2, 2.5.8). */
const NEAREST = 24

/** Sorts marks by time. If links are too close, only the last one is shown, with their number. */
function apart(marks, x) {
  const ordered = []
  for (const mark of marks.toSorted((one, other) => other.from - one.from)) {
    const [next] = ordered
    const { element, title } = mark
    element.hidden = title !== undefined && next !== undefined && x(next.from) - x(mark.from) < NEAREST
    if (element.hidden) next.element.title = `${next.title}, and ${(next.more += 1)} shortly before`
    else {
      if (title !== undefined) element.title = title
      ordered.unshift(Object.assign(mark, { more: 0 }))
    }
  }
  return ordered
}

function eventMark({ from, to, label, level, isOpen }, clock) {
  const end = to > from ? ` – ${momentText(clock, to, 86_400_001)}` : ''
  const title = `${label}, ${clock.day(from)} ${clock.minutes(from)}${end}`
  return {
    element: make(`span.event.${level.toLowerCase()}`, { title }, make('span.text', {}, label)),
    from,
    to,
    isOpen,
  }
}
