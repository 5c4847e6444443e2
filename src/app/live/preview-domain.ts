/** Below which domain previews have their names: as the environment says, else as operators have set it, else on localhost. */

import { chosenPreviewDomain } from '../../features/accounts/settings/server-choices.ts'
import { usualPreviewDomain } from '../../features/projects/domains/reserved-names.ts'
import type { Config } from '../config/config.ts'
import type { LiveSettings } from './live-settings.ts'

/** What the dashboard is told of it. */
export interface PreviewSource {
  /** By the environment. */
  given: string | null
  /** Of who has said nothing; null: there are no previews. */
  usual(): string | null
  /** That are asked for names; none: those of the system. */
  dnsServers: readonly string[]
}

export function createPreviewDomain(
  { previewDomain: given, dnsServers }: Pick<Config, 'previewDomain' | 'dnsServers'>,
  { settings, publicUrl }: { settings: Pick<LiveSettings, 'current'>; publicUrl: () => string },
): { previewDomain(): string | null; previewSource: PreviewSource } {
  const usual = () => usualPreviewDomain(publicUrl())
  return {
    previewDomain: () => given ?? chosenPreviewDomain(settings.current()) ?? usual(),
    previewSource: { given, usual, dnsServers },
  }
}
