// Follows the points after a cursor by one subscription. The browser opens it again if it breaks, and continues after
// the last event that it has seen.

/** Requests that no browser repeats by itself are repeated after this time, and each further time later. */
export const AGAIN_MS = 3_000
const MOST_TRIES = 5

export class Live {
  #path
  #listener
  #source = null
  #tries = 0

  constructor(path, listener) {
    this.#path = path
    this.#listener = listener
  }

  open(search, after) {
    this.close()
    const query = new URLSearchParams(search)
    if (after) query.set('after', after)
    const source = new EventSource(`${this.#path}/live?${query}`)
    this.#source = source
    source.addEventListener('open', () => (this.#tries = 0))
    source.addEventListener('error', () => {
      if (source !== this.#source || source.readyState !== EventSource.CLOSED) return
      this.#listener.broken(AGAIN_MS * 2 ** this.#tries)
      this.#tries = Math.min(this.#tries + 1, MOST_TRIES)
    })
    source.addEventListener('message', ({ data }) => this.#listener.points(JSON.parse(data)))
    source.addEventListener('setpoints', ({ data }) => this.#listener.setpoints?.(JSON.parse(data)))
    source.addEventListener('events', () => this.#listener.events?.())
    source.addEventListener('ended', ({ data }) => {
      this.close()
      this.#listener.ended(`Nothing new is shown any more: ${JSON.parse(data)}`)
    })
  }

  close() {
    this.#source?.close()
    this.#source = null
  }
}

/** Where nothing has arrived yet, the first datapoint makes the page anew. */
export function followFirst(path) {
  const waiting = document.querySelector('[data-first-datapoint]')
  if (waiting === null) return
  const open = () => live.open('', waiting.dataset.firstDatapoint)
  const live = new Live(path, {
    points(points) {
      const [first] = points
      if (first === undefined) return
      live.close()
      location.assign(`${path}?${new URLSearchParams({ show: first[0] })}`)
    },
    ended: () => undefined,
    broken: (delay) => setTimeout(open, delay),
  })
  open()
}
