import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { checkNames, checkUuids } from '../checked-arguments.ts'

type Names = readonly string[] | null | undefined

interface GivenPlaces {
  readonly systems?: Names
  readonly components?: Names
}

interface GivenSeries extends GivenPlaces {
  readonly services?: Names
  readonly characteristics?: Names
}

/** Makes a filter of series from arguments. A series must match all of them. */
export function seriesFilter(given: GivenSeries): SeriesFilter {
  const { services, characteristics } = given
  return {
    ...placesFilter(given),
    services: services == null ? undefined : checkNames(services, 'the list of services', 'a service'),
    characteristics:
      characteristics == null
        ? undefined
        : checkNames(characteristics, 'the list of characteristics', 'a characteristic'),
  }
}

export function placesFilter({ systems, components }: GivenPlaces): Pick<SeriesFilter, 'systems' | 'components'> {
  return {
    systems: systems == null ? undefined : checkUuids(systems, 'systems'),
    components: components == null ? undefined : checkUuids(components, 'components'),
  }
}
