import { adviceOn, adviceOnUsers } from '../../../auth/method-configuration.ts'
import { callbackAdvice } from './callback.ts'
import { isForPeople, type AuthenticationMethod, type DelegatedMethod } from './method.ts'

/** Advice for an administrator about a method; null if there is none. Advice never prevents a change. */
export function adviceOnMethod(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): string | null {
  const { configuration } = method
  const onUsers = isForPeople(method) ? adviceOnUsers(configuration) : null
  const advice = [adviceOn(configuration), onUsers, ...callbackAdvice(method, methods)].filter((one) => one !== null)
  return advice.length === 0 ? null : advice.join(' ')
}
