import type { Sql } from '../db/sql.ts'
import { HoldfastError } from '../lib/errors.ts'
import { readDomain, writeAccess, writeAccessAlone, writeData, writeDomain } from '../store/domains.ts'
import type { AccessContext } from './access/access-context.ts'

type Context = Pick<AccessContext, 'database' | 'domain' | 'stillMay'>

/**
 * Runs a transaction of an actor that holds the domain's lock: see `writeDomain`. While it waited, another change may
 * have revoked the actor's right; then it is refused. Afterwards nobody can revoke the right before it commits, since
 * grants, people and organizations are changed under that lock, too.
 */
export function changeDomain<T>(context: Context, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { database, domain } = context
  return writeDomain(database, domain.id, async (sql) => {
    await refuseLostRights(sql, context)
    return work(sql)
  })
}

/**
 * Runs a transaction of an actor that changes methods, keys or sessions. It does not wait for an apply. Such changes
 * run one after the other, so if two revoke each other's right, one is refused.
 */
export function changeAccess<T>(context: Context, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { database, domain } = context
  return writeAccessAlone(database, domain.id, async (sql) => {
    await refuseLostRights(sql, context)
    return work(sql)
  })
}

/** Runs a transaction of an actor that changes records on which nothing else depends. It takes no lock. */
export function changeApart<T>(context: Context, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { database, domain } = context
  return writeAccess(database, domain.id, async (sql) => {
    await refuseLostRights(sql, context)
    return work(sql)
  })
}

/** Runs a transaction of an actor that changes data, which depends on the model: see `writeData`. */
export function changeData<T>(context: Context, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { database, domain } = context
  return writeData(database, domain.id, async (sql) => {
    await refuseLostRights(sql, context)
    return work(sql)
  })
}

/** Refuses the result of a long check if its sender has lost the rights meanwhile. */
export function requireRightsStill(context: Context): Promise<void> {
  const { database, domain } = context
  return readDomain(database, domain.id, (sql) => refuseLostRights(sql, context))
}

async function refuseLostRights(sql: Sql, { stillMay }: Context): Promise<void> {
  if ((await stillMay?.(sql)) !== false) return
  const message = 'the token has ended, or the rights of the account changed, during this request; nothing was changed'
  throw new HoldfastError('FORBIDDEN', message)
}
