/** Handling of feedback: assignees, and the labels of a project on its entries. */

import { type Static, Type } from 'typebox'
import { LABEL_COLOURS } from '../../../base/api/form-choices.ts'
import { LABEL_CHARACTERS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

/** Maximum number of labels on one entry. */
export const MAX_ENTRY_LABELS = 20
/** Maximum number of labels of one project. */
export const MAX_PROJECT_LABELS = 200

const Colour = Type.Enum([...LABEL_COLOURS])
const LabelId = Type.String({ pattern: '^lbl_[0-9a-z]+$' })
const LabelName = Line(LABEL_CHARACTERS, { description: 'Unique in its project, whatever the case.' })

export const FeedbackLabel = Type.Object(
  { id: LabelId, name: Type.String(), colour: Colour, createdAt: DateTime },
  closed('FeedbackLabel'),
)
export type FeedbackLabel = Static<typeof FeedbackLabel>

export const FeedbackLabelList = Type.Object(
  {
    labels: Type.Array(FeedbackLabel, { maxItems: MAX_PROJECT_LABELS, description: 'By name.' }),
  },
  closed('FeedbackLabelList'),
)
export type FeedbackLabelList = Static<typeof FeedbackLabelList>

export const FeedbackLabelParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  labelId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const CreateFeedbackLabelBody = Type.Object(
  { name: LabelName, colour: Type.Optional(Colour) },
  closed('CreateFeedbackLabel'),
)
export type CreateFeedbackLabelBody = Static<typeof CreateFeedbackLabelBody>

export const UpdateFeedbackLabelBody = Type.Object(
  { name: Type.Optional(LabelName), colour: Type.Optional(Colour) },
  closed('UpdateFeedbackLabel'),
)
export type UpdateFeedbackLabelBody = Static<typeof UpdateFeedbackLabelBody>

export const DeletedFeedbackLabel = Type.Object(
  { id: Type.String(), entries: Type.Integer({ minimum: 0, description: 'Entries that carried it.' }) },
  closed('DeletedFeedbackLabel'),
)

const LabelIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: MAX_ENTRY_LABELS,
})

export const ChangeFeedbackWorkBody = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
    assigneeId: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 64, description: 'A member; null: nobody.' })),
    ),
    addLabels: Type.Optional(LabelIds),
    removeLabels: Type.Optional(LabelIds),
  },
  closed('ChangeFeedbackWork'),
)
export type ChangeFeedbackWorkBody = Static<typeof ChangeFeedbackWorkBody>

export const ChangedFeedbackWork = Type.Object(
  {
    changed: Type.Array(
      Type.Object(
        { id: Type.String(), assigneeId: Nullable(Type.String()), labelIds: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
      { description: 'What changed, as it was before.' },
    ),
  },
  closed('ChangedFeedbackWork'),
)
export type ChangedFeedbackWork = Static<typeof ChangedFeedbackWork>

const FEEDBACK = '/internal/projects/{projectId}/feedback'
const LABEL = `${FEEDBACK}/labels/{labelId}` as const

export const FEEDBACK_WORK_OPERATIONS = {
  changeFeedbackWork: {
    ...ROW,
    method: 'PATCH',
    path: `${FEEDBACK}/work`,
    summary: 'Assign feedback to a member or to nobody, add labels to it or take them off',
    audit: 'feedback.assigned',
    permission: 'feedback',
    params: ProjectParams,
    body: ChangeFeedbackWorkBody,
    success: { status: 200, schema: ChangedFeedbackWork },
  },
  listFeedbackLabels: {
    ...ROW,
    method: 'GET',
    path: `${FEEDBACK}/labels`,
    summary: 'List the labels that feedback of a project can carry',
    permission: 'read',
    params: ProjectParams,
    success: { status: 200, schema: FeedbackLabelList },
  },
  createFeedbackLabel: {
    ...ROW,
    method: 'POST',
    path: `${FEEDBACK}/labels`,
    summary: 'Make a label; one that has the name already is answered as it is',
    audit: 'feedback_label.created',
    permission: 'feedback',
    params: ProjectParams,
    body: CreateFeedbackLabelBody,
    success: { status: 201, schema: FeedbackLabel, headers: { Location: 'Address of the label.' } },
  },
  updateFeedbackLabel: {
    ...ROW,
    method: 'PATCH',
    path: LABEL,
    summary: 'Give a label another name or colour',
    audit: 'feedback_label.updated',
    permission: 'feedback',
    params: FeedbackLabelParams,
    body: UpdateFeedbackLabelBody,
    success: { status: 200, schema: FeedbackLabel },
  },
  deleteFeedbackLabel: {
    ...ROW,
    method: 'DELETE',
    path: LABEL,
    summary: 'Delete a label, and take it off every entry that carries it',
    audit: 'feedback_label.deleted',
    permission: 'feedback',
    params: FeedbackLabelParams,
    success: { status: 200, schema: DeletedFeedbackLabel },
  },
} as const satisfies Record<string, DashboardOperation>
