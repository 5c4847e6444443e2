/** The script that an isolate loads before any page: Preact, the theme's components, and the function that renders. */
import { components } from '../theme/components/registry.tsx'
import type { Registry } from './module-scope.ts'
import type { PageProgram } from './program.ts'
import { renderPage } from './render-page.ts'
import { stopClock } from './still-clock.ts'
import { offerWebGlobals } from './web-globals.ts'

stopClock()
offerWebGlobals()

/** `announce` gets the mark of what runs next; `deliver` gets the outcome before anything that is still pending runs. */
const render = (
  source: string,
  announce: (mark: number) => void,
  deliver: (outcome: string) => void,
): void => {
  const program: PageProgram = JSON.parse(source)
  deliver(JSON.stringify(renderPage(program, components as Registry, announce)))
}

Object.assign(globalThis, { octavoRender: render })
