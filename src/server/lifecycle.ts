/** `starting`: the database is being opened. `draining`: requests that have begun are finished, then it ends. */
export type LifecycleState = 'starting' | 'ready' | 'draining'

/** Where a server is between its start and its end. */
export class Lifecycle {
  state: LifecycleState

  constructor(state: LifecycleState = 'starting') {
    this.state = state
  }
}
