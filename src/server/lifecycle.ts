/** `starting`: the server opens the database. `draining`: it finishes the requests that have begun, and stops. */
export type LifecycleState = 'starting' | 'ready' | 'draining'

/** The state of a server from its start to its stop. */
export class Lifecycle {
  #state: LifecycleState
  readonly #draining = new AbortController()

  constructor(state: LifecycleState = 'starting') {
    this.#state = state
  }

  get state(): LifecycleState {
    return this.#state
  }

  set state(state: LifecycleState) {
    this.#state = state
    if (state === 'draining') this.#draining.abort()
  }

  /** Fires when the server begins to stop, for answers that would not end by themselves. */
  get draining(): AbortSignal {
    return this.#draining.signal
  }
}
