/** Pages as the router loads them: each a module of its own, asked for when somebody is about to go there. */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'preact'
import type { QueryParameters } from './address.ts'

/** What a page module may export beside its component: fetches what it shows, when somebody is about to go there. */
export type Preload = (place: { params: Record<string, string>; search: QueryParameters }) => void

type PageModule<Name extends string> = { [Key in Name]: ComponentType } & { preload?: Preload }

/** A module, and the name of the page in it. */
export type PageOf<Name extends string> = [load: () => Promise<PageModule<Name>>, name: Name]

/** Parts of a route: the component of that name in the module, and its `preload` when it has one. */
export function page<Name extends string>(...[load, name]: PageOf<Name>) {
  return {
    component: lazyRouteComponent(load as unknown as () => Promise<Record<string, never>>, name),
    loader: async ({ params, location }: { params: unknown; location: { search: unknown } }) => {
      const { preload } = await load()
      preload?.({ params: params as Record<string, string>, search: location.search as QueryParameters })
    },
  }
}
