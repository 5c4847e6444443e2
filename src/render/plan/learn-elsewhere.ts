/** What has to be known of files on other servers before pages are laid out. */
import { chromeAddresses } from '../remote/chrome-addresses.ts'
import type { RenderedPages } from './page-passes.ts'
import type { RenderScope } from './render-scope.ts'

/** Sizes of the pictures that stay there, and copies of what a closed bundle brings along. */
export async function learnElsewhere(
  { deps, input, sizes, remoteAssets }: RenderScope,
  { pages, pictures }: RenderedPages,
): Promise<void> {
  if (deps.fetchSizes && pictures.size > 0) sizes.learnSizes(await deps.fetchSizes.find([...pictures].sort()))
  const named = pages.flatMap(({ facts }) => facts.remote)
  await remoteAssets.download([...chromeAddresses(input.site), ...named])
}
