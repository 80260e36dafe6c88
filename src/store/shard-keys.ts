import { BITS_BELOW_SHARD, KEYS_OF_DOMAIN, SHARDS } from '../lib/shard-key.ts'

// SQL for shard keys, which src/lib/shard-key.ts explains.

/**
 * SQL for the key of a new system. A domain is spread by a digest of the uuid and not by the uuid, since some kinds of uuid
 * begin with a time. `domain` is a row of that table.
 */
export function keyOfNewSystem(domain: string, uuid: string): string {
  const digest = `sha256(uuid_send(${uuid}))`
  const shard = `1 + (get_byte(${digest}, 0) * 256 + get_byte(${digest}, 1)) % ${SHARDS}`
  return `case when ${domain}.is_spread then -(${domain}.id * ${KEYS_OF_DOMAIN} + ${shard}) else ${domain}.id end`
}

/** SQL for what is added to the number of a new series, by the key of its system. */
export function firstNumberOfShard(shardKey: string): string {
  return `((greatest(-${shardKey}, 0) % ${KEYS_OF_DOMAIN}) << ${BITS_BELOW_SHARD})`
}
