import { adviceOn, adviceOnUsers } from '../../../auth/method-configuration.ts'
import { callbackAdvice } from './callback.ts'
import { isForPeople, type AuthenticationMethod, type DelegatedMethod } from './method.ts'

/** What an administrator should know of one of these methods; null where there is nothing. It only advises. */
export function adviceOnMethod(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): string | null {
  const { configuration } = method
  const onUsers = isForPeople(method) ? adviceOnUsers(configuration) : null
  const advice = [adviceOn(configuration), onUsers, ...callbackAdvice(method, methods)].filter((one) => one !== null)
  return advice.length === 0 ? null : advice.join(' ')
}
