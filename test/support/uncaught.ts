const PROBE = new URL('./uncaught-probe.js', import.meta.url).href

/** The environment of a process that reports unhandled faults. */
export function probed(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, NODE_OPTIONS: [env['NODE_OPTIONS'] ?? [], `--import=${PROBE}`].flat().join(' ') }
}

/** Fails if the process reported an unhandled fault. A server that continues or restarts would otherwise hide it. */
export function refuseUncaught(written: string): void {
  const at = written.indexOf('\nNobody handles this ')
  if (at !== -1) throw new Error(`a server process has failed.${written.slice(at)}`)
}
