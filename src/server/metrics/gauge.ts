import type { Family } from './exposition.ts'

export function gauge(name: string, help: string, value: number | boolean): Family {
  return { name, kind: 'gauge', help, samples: [{ value: Number(value) }] }
}

export function counter(name: string, help: string, value: number): Family {
  return { name, kind: 'counter', help, samples: [{ value }] }
}
