// Subscribes to the points after a cursor. If the connection drops, the browser reconnects and continues after the last
// event that it received.

/** The delay before a failed request that browsers do not retry. It grows with each attempt. */
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
      this.#listener.ended?.(`Nothing new is shown any more: ${JSON.parse(data)}`)
    })
  }

  close() {
    this.#source?.close()
    this.#source = null
  }
}

/** Waits for the first datapoint of a system, and then loads the page again. */
export function followFirst(path) {
  const waiting = document.querySelector('[data-first-datapoint]')
  if (waiting === null) return
  const open = () => document.hidden || live.open('', waiting.dataset.firstDatapoint)
  const live = new Live(path, {
    points(points) {
      const [first] = points
      if (first === undefined) return
      live.close()
      location.assign(`${path}?${new URLSearchParams({ show: first[0] })}`)
    },
    broken: (delay) => setTimeout(open, delay),
  })
  document.addEventListener('visibilitychange', () => (document.hidden ? live.close() : open()))
  open()
}
