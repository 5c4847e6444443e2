/** Script that an isolate loads before any page: Preact, components, and the render function. */

import { writeHtmlNames } from '../isolate/attribute-names.ts'
import type { Registry } from '../isolate/module-scope.ts'
import { renderPage } from '../isolate/render-page.ts'
import { stopClock } from '../isolate/still-clock.ts'
import { disableBlockingWaits, installWebGlobals } from '../isolate/web-globals.ts'
import type { PageProgram } from '../tree/program.ts'
import { components } from './registry.tsx'

stopClock()
installWebGlobals()
disableBlockingWaits()
writeHtmlNames()

/**
 * `announce` receives the mark of the next component. `deliver` receives the outcome before pending work
 * runs.
 */
const render = (
  source: string,
  announce: (mark: number) => void,
  deliver: (outcome: string) => void,
): void => {
  const program: PageProgram = JSON.parse(source)
  deliver(JSON.stringify(renderPage(program, components as Registry, announce)))
}

Object.assign(globalThis, { octavoRender: render })
