/** Page script, except for search, the API playground and the assistant, which are loaded on first use. */
import { initAssistantOpener } from './assistant-opener.ts'
import { initBanner } from './banner.ts'
import { initBrokenImages } from './broken-images.ts'
import { initCollapsedCode, initCopyButtons, initWrapButtons } from './code.ts'
import { initTableOfContents } from './contents.ts'
import { initCopyPage } from './copy-page.ts'
import { initDiagrams } from './diagrams.ts'
import { initDrawer } from './drawer.ts'
import { initHashTargets } from './hash-targets.ts'
import { initImageActions } from './image-actions.ts'
import { initMenus } from './menus.ts'
import { restoreNavigationScroll, storeNavigationScroll } from './navigation-scroll.ts'
import { initPlaygroundOpener } from './playground-opener.ts'
import { prefetchLinks } from './prefetch.ts'
import { initSearchOpener } from './search-opener.ts'
import { initServers } from './servers.ts'
import { initSiteScripts } from './site-scripts.ts'
import { whenStorageIsReady } from './storage-ready.ts'
import { initTabs } from './tabs.ts'
import { initSchemeSwitch } from './theme-switch.ts'
import { initTooltips } from './tooltips.ts'
import { initTrees } from './trees.ts'
import { initTagFilters } from './updates.ts'
import { initViews } from './views.ts'
import { initImageZoom } from './zoom.ts'

// Order matters: a link to a field inside a tab must override the remembered tab.
const STATE_RESTORING_FEATURES = [
  // Restored again, because the style sheets may not have been loaded the first time.
  restoreNavigationScroll,
  initSchemeSwitch,
  initTabs,
  initViews,
  initTagFilters,
  initHashTargets,
  initTableOfContents,
  initCopyButtons,
  initCollapsedCode,
  initWrapButtons,
]
const OTHER_FEATURES = [
  initSiteScripts,
  initSearchOpener,
  initPlaygroundOpener,
  initAssistantOpener,
  initDrawer,
  initMenus,
  initCopyPage,
  initBanner,
  initTooltips,
  initBrokenImages,
  initImageZoom,
  initImageActions,
  initTrees,
  initDiagrams,
  storeNavigationScroll,
  prefetchLinks,
  initServers,
]

for (const part of OTHER_FEATURES) startFeature(part)
whenStorageIsReady(() => STATE_RESTORING_FEATURES.forEach(startFeature))

/** Runs a feature; errors do not affect the others. */
function startFeature(part: () => void): void {
  try {
    part()
  } catch (error) {
    reportError(error)
  }
}
