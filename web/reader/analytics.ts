/**
 * Reports page views, searches, copied code and outbound links to the platform, on sites with web analytics. Stores
 * nothing in the browser and uses no cookies or reader ids; readers who opt out of tracking are not counted. Events
 * that cannot be sent are dropped silently.
 */

import type { PlatformFacts } from '../../src/base/api/widgets.ts'
import { EVENT_LENGTHS } from '../../src/features/analytics/operations/event-lengths.ts'
import { linkedFile, loadScript } from './dom.ts'
import { createEventSender } from './event-sender.ts'
import { READING_EVENT, type ReadingEvent } from './reading-events.ts'

const platformFile = linkedFile('platform')
const privacySignals = navigator as Navigator & { doNotTrack?: string | null; globalPrivacyControl?: boolean }
const isTrackingRefused = privacySignals.doNotTrack === '1' || privacySignals.globalPrivacyControl === true
/** False for pages opened from disk and in frames with an opaque origin, which cannot send events. */
const canReport = location.protocol.startsWith('http') && globalThis.origin !== 'null'
const route = document.documentElement.dataset.currentPath ?? ''
if (platformFile && canReport && !isTrackingRefused && route !== '') start(platformFile)

function start(platformFile: string): void {
  const path = route.split('/').map(encodeURIComponent).join('/')
  const sender = createEventSender(() => findAddress(platformFile))
  const view = () => {
    const from = URL.parse(document.referrer)
    const isElsewhere = from !== null && from.host !== location.host
    sender.add({ path, kind: 'view', ...(isElsewhere && { referrer: from.hostname }) })
  }
  document.addEventListener(READING_EVENT, (event) =>
    sender.add({ path, ...(event as CustomEvent<ReadingEvent>).detail }),
  )
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (link && /^https?:$/.test(link.protocol) && link.host !== location.host)
      sender.add({ path, kind: 'outbound', target: link.hostname.slice(0, EVENT_LENGTHS.host) })
  })
  addEventListener('online', sender.flush)
  addEventListener('pagehide', sender.flushOnLeave)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sender.flushOnLeave()
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) view()
  })
  // A prerendered page counts as viewed only once it is shown.
  const isPrerendering = (document as Document & { prerendering?: boolean }).prerendering === true
  if (isPrerendering) document.addEventListener('prerenderingchange', view, { once: true })
  else view()
}

function findAddress(platformFile: string): Promise<string | null> {
  const facts = () => (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform
  return loadScript(platformFile).then(
    () => facts()?.analytics ?? null,
    () => null,
  )
}
