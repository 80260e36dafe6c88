import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { checkName, checkUuid } from '../checked-arguments.ts'

type Names = readonly string[] | null | undefined

interface GivenPlaces {
  readonly systems?: Names
  readonly components?: Names
}

interface GivenSeries extends GivenPlaces {
  readonly services?: Names
  readonly characteristics?: Names
}

/** Which series are meant, as arguments say it; all that is said must hold. */
export function seriesFilter(given: GivenSeries): SeriesFilter {
  const { services, characteristics } = given
  return {
    ...placesFilter(given),
    services: services?.map((name) => checkName(name, 'a service')),
    characteristics: characteristics?.map((name) => checkName(name, 'a characteristic')),
  }
}

export function placesFilter({ systems, components }: GivenPlaces): Pick<SeriesFilter, 'systems' | 'components'> {
  return {
    systems: systems?.map((uuid) => checkUuid(uuid, 'systems')),
    components: components?.map((uuid) => checkUuid(uuid, 'components')),
  }
}
