/** Invented feedback for demonstrations and benchmarks, for the command line on the server's machine. */

import { Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const DEMO_BATCH_SIZE = 500

export const DEMO_FEEDBACK_OPERATIONS = {
  addDemoFeedback: {
    ...ROW,
    method: 'POST',
    path: '/internal/operator/projects/{projectId}/demo-feedback',
    summary: 'Write invented feedback on the pages of a published site',
    permission: 'machine',
    audit: { none: 'Not recorded, like feedback from readers.' },
    params: ProjectParams,
    body: Type.Object(
      {
        count: Type.Integer({ minimum: 1, maximum: DEMO_BATCH_SIZE }),
        spreadDays: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 3650,
            description:
              'Number of past days over which entries are spread. Default: all entries are created now.',
          }),
        ),
      },
      closedObject('AddDemoFeedback'),
    ),
    success: {
      status: 201,
      schema: Type.Object(
        { projectId: Type.String(), count: Type.Integer(), pages: Type.Integer() },
        closedObject('DemoFeedback'),
      ),
    },
  },
} as const satisfies Record<string, DashboardOperation>
