// What is stored from now on, by one subscription. The browser opens it again where it breaks, and goes on after the last
// event that it has seen.

export class Live {
  #path
  #listener
  #source = null

  constructor(path, listener) {
    this.#path = path
    this.#listener = listener
  }

  open(search) {
    this.close()
    this.#source = new EventSource(`${this.#path}/live${search}`)
    this.#source.addEventListener('message', ({ data }) => this.#listener.points(JSON.parse(data)))
    this.#source.addEventListener('setpoints', ({ data }) => this.#listener.setpoints?.(JSON.parse(data)))
    this.#source.addEventListener('ended', ({ data }) => {
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
  if (document.querySelector('[data-first-datapoint]') === null) return
  const live = new Live(path, {
    points(points) {
      const [first] = points
      if (first === undefined) return
      live.close()
      location.assign(`${path}?${new URLSearchParams({ show: first[0] })}`)
    },
    ended: () => undefined,
  })
  live.open('')
}
