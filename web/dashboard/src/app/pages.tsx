/** Page components for the router: each is a separate module that is loaded when the user is about to open it. */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'preact'
import type { QueryParameters } from './query-parameters.ts'

/** Optional export of a page module: prefetches the page's data when the user is about to open it. */
export type Preload = (target: { params: Record<string, string>; search: QueryParameters }) => void

type PageModule<Name extends string> = { [Key in Name]: ComponentType } & { preload?: Preload }

export type PageOf<Name extends string> = [load: () => Promise<PageModule<Name>>, name: Name]

export function pageRouteOptions<Name extends string>(...[load, name]: PageOf<Name>) {
  return {
    component: lazyRouteComponent(load as unknown as () => Promise<Record<string, never>>, name),
    loader: async ({ params, location }: { params: unknown; location: { search: unknown } }) => {
      const { preload } = await load()
      preload?.({ params: params as Record<string, string>, search: location.search as QueryParameters })
    },
  }
}
