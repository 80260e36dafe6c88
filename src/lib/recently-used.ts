import { LRUCache } from 'lru-cache'

/**
 * Makes a cache of the entries that were used last, at most `most`; `ttl` is in milliseconds. With `max`, lru-cache makes
 * its lists for all entries at once: for 100,000 that takes 20 ms of a processor. By their size, the lists grow.
 */
export function recentlyUsed<Value extends object | string | true>(most: number, ttl = 0): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })
}
