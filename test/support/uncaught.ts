const PROBE = new URL('./uncaught-probe.js', import.meta.url).href

/** The environment of a process that says what nobody in it handles. */
export function probed(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, NODE_OPTIONS: [env['NODE_OPTIONS'] ?? [], `--import=${PROBE}`].flat().join(' ') }
}

/** Fails if the process has said so. A server that goes on, or is started again, would otherwise hide it. */
export function refuseUncaught(written: string): void {
  const at = written.indexOf('\nNobody handles this ')
  if (at !== -1) throw new Error(`a server process has failed.${written.slice(at)}`)
}
