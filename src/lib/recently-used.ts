import { LRUCache } from 'lru-cache'

/**
 * Makes a cache of at most `most` entries, those that were used last. `ttl` is in milliseconds. It limits lru-cache by
 * size, so that its lists grow. With `max`, lru-cache allocates them at once: 20 ms of CPU time for 100,000 entries.
 */
export function recentlyUsed<Value extends object | string | true>(most: number, ttl = 0): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })
}
