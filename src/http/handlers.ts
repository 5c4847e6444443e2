/** Where each operation meets its handler; the compiler demands every row of the table. */
import type { OPERATIONS } from '../contract/operations.ts'
import type { Handlers } from './handler.ts'
import { getDeployment } from './routes/deployments/get-deployment.ts'
import { type StartDeploymentRouteDeps, startDeployment } from './routes/deployments/start-deployment.ts'
import { cancelExport } from './routes/export/cancel-export.ts'
import { type GenerateBundleDeps, generateBundle } from './routes/export/generate-bundle.ts'
import { getExport } from './routes/export/get-export.ts'
import { type ListExportsDeps, listExports } from './routes/export/list-exports.ts'
import { type StartExportRouteDeps, startExport } from './routes/export/start-export.ts'
import { streamExportEvents } from './routes/export/stream-export-events.ts'

/** What the handlers need, all together; each of them is typed to the few that it uses. */
export type HandlerDeps = StartExportRouteDeps &
  ListExportsDeps &
  GenerateBundleDeps &
  StartDeploymentRouteDeps

export function createHandlers(deps: HandlerDeps): Handlers<typeof OPERATIONS> {
  return {
    startExport: (call) => startExport(deps, call),
    listExports: (call) => listExports(deps, call),
    getExport,
    generateBundle: (call) => generateBundle(deps, call),
    cancelExport,
    streamExportEvents: (call) => streamExportEvents(call),
    startDeployment: (call) => startDeployment(deps, call),
    getDeployment,
  }
}
