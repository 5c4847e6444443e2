/** Page script, except for search, the API playground and the assistant, which are loaded on first use. */
import { assistantOpener } from './assistant-opener.ts'
import { closeBanner } from './banner.ts'
import { brokenImages } from './broken-images.ts'
import { copyButtons, foldedCode, wrapButtons } from './code.ts'
import { pageContents } from './contents.ts'
import { copyPage } from './copy-page.ts'
import { diagrams } from './diagrams.ts'
import { hashTargets } from './disclosure.ts'
import { drawer } from './drawer.ts'
import { imageActions } from './image-actions.ts'
import { menus } from './menus.ts'
import { rememberNavigation, restoreNavigation } from './navigation-scroll.ts'
import { playgroundOpener } from './playground-opener.ts'
import { prefetchLinks } from './prefetch.ts'
import { searchOpener } from './search-opener.ts'
import { servers } from './servers.ts'
import { siteScripts } from './site-scripts.ts'
import { tabs } from './tabs.ts'
import { onceTakenIn } from './taken-in.ts'
import { schemeSwitch } from './theme-switch.ts'
import { tooltips } from './tooltips.ts'
import { trees } from './trees.ts'
import { tagFilters } from './updates.ts'
import { views } from './views.ts'
import { imageZoom } from './zoom.ts'

// Order matters: a link to a field inside a tab must override the remembered tab.
const RECALLING = [
  // Again, because the style sheets may not have been loaded the first time.
  restoreNavigation,
  schemeSwitch,
  tabs,
  views,
  tagFilters,
  hashTargets,
  pageContents,
  copyButtons,
  foldedCode,
  wrapButtons,
]
const OTHERS = [
  siteScripts,
  searchOpener,
  playgroundOpener,
  assistantOpener,
  drawer,
  menus,
  copyPage,
  closeBanner,
  tooltips,
  brokenImages,
  imageZoom,
  imageActions,
  trees,
  diagrams,
  rememberNavigation,
  prefetchLinks,
  servers,
]

for (const part of OTHERS) run(part)
onceTakenIn(() => RECALLING.forEach(run))

/** Runs a feature; errors do not affect the others. */
function run(part: () => void): void {
  try {
    part()
  } catch (error) {
    reportError(error)
  }
}
