// The shard key distributes rows of data over machines. It is the number of the domain, or, for a domain that is
// spread, the key of one of its shards (docs/decisions/0035). All data of a system has one key. SQL for the key of a
// new system is in src/store/shard-key-sql.ts.

/** A domain that is spread has so many shards: many more than machines, and so few that each has many series. */
export const SHARDS = 1024

/** Numbers of domains are multiplied by it, so that no two domains have a key in common. */
export const KEYS_OF_DOMAIN = 2048

/** The number of a series begins with the shard of its system, above so many bits: neighbours lie together. */
export const BITS_BELOW_SHARD = 40

/** The key of the data of a series. A series of a domain that is not spread has shard 0. */
export function shardKeyOfSeries(domainId: number, seriesId: number): number {
  const shard = Math.floor(seriesId / 2 ** BITS_BELOW_SHARD)
  // It is negative, so that it is never the number of another domain.
  return shard === 0 ? domainId : -(domainId * KEYS_OF_DOMAIN + shard)
}
