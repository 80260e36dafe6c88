/**
 * `starting`: the database is being opened. `draining`: requests that have begun are finished, and then the server
 * ends.
 */
export type LifecycleState = 'starting' | 'ready' | 'draining'

/** The state of a server between its start and its end. */
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

  /** Fires when the server begins to end, for answers that would not end by themselves. */
  get draining(): AbortSignal {
    return this.#draining.signal
  }
}
