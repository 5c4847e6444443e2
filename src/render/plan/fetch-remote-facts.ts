/** Collects data about remote files before pages are laid out. */
import { listChromeUrls } from '../remote/chrome-addresses.ts'
import type { RenderedPages } from './page-passes.ts'
import type { RenderScope } from './render-scope.ts'

/** Determines the sizes of remote images and downloads the files that an air-gapped bundle includes. */
export async function fetchRemoteFacts(
  { deps, input, sizes, remoteAssets }: RenderScope,
  { pages, pictures }: RenderedPages,
): Promise<void> {
  if (deps.fetchSizes && pictures.size > 0) sizes.addSizes(await deps.fetchSizes.find([...pictures].sort()))
  const remoteUrls = pages.flatMap(({ facts }) => facts.remote)
  await remoteAssets.download([...listChromeUrls(input.site), ...remoteUrls])
}
