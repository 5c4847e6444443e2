import {
  BUILT_FEATURES,
  BUNDLED,
  type BuiltFeature,
  type Deployment,
  type ExportDeployment,
  FEATURE_MATRIX,
  type Feature,
  type FeatureChoices,
  isBundled,
} from '../../../../../src/base/api/features.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Switch } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { DEPLOYMENT_LABELS, FEATURE_LABELS, NOT_POSSIBLE } from '../exports/export-labels.ts'
import { SettingsForm, type SettingsShape, type SettingsState } from './settings-form.tsx'

/** The export feature is not selectable. */
type Chosen = Exclude<BuiltFeature, 'export'>
const isChoosable = (feature: BuiltFeature): feature is Chosen => feature !== 'export'
const CHOOSABLE_FEATURES = BUILT_FEATURES.filter(isChoosable)

interface FeatureDraft {
  defaultDeployment: ExportDeployment
  features: Required<Pick<FeatureChoices, Chosen>>
}

/** Default when nothing was chosen. */
const isOnByDefault = (feature: Feature) => feature === 'search'

const SHAPE: SettingsShape<FeatureDraft> = {
  toDraft: ({ defaultDeployment, features }) => ({
    defaultDeployment,
    features: Object.fromEntries(
      CHOOSABLE_FEATURES.map((name) => [name, features[name] ?? isOnByDefault(name)]),
    ) as FeatureDraft['features'],
  }),
  toChange: ({ defaultDeployment, features }) => ({
    defaultDeployment,
    features: Object.fromEntries(
      CHOOSABLE_FEATURES.map((name) => [
        name,
        features[name] === isOnByDefault(name) ? null : features[name],
      ]),
    ),
  }),
  toLabelledValues: ({ defaultDeployment, features }) => [
    { label: t('Deployment'), value: DEPLOYMENT_LABELS[defaultDeployment].label },
    ...CHOOSABLE_FEATURES.map((name) => ({
      label: FEATURE_LABELS[name].label,
      value: choiceLabel(features[name]),
    })),
  ],
  matchField: () => undefined,
}

const COLUMNS: { name: Deployment; label: string }[] = [
  { name: 'cloud', label: t('Hosted here') },
  { name: 'client-hosted', label: t('Client-hosted') },
  { name: 'air-gapped', label: t('Air-gapped') },
]

export function FeatureSettings({ project }: { project: ProjectDetail }) {
  return (
    <SettingsForm project={project} shape={SHAPE}>
      {(state) => (
        <>
          <FieldSet label={t('Exports are for')} hint={t('Unless an export says otherwise.')}>
            <RadioGroup
              label={t('Exports are for')}
              value={state.draft.defaultDeployment}
              onChange={(defaultDeployment) => state.set({ defaultDeployment })}
              choices={(Object.keys(DEPLOYMENT_LABELS) as ExportDeployment[]).map((value) => ({
                value,
                ...DEPLOYMENT_LABELS[value],
                isOff: !state.mayChange,
              }))}
            />
          </FieldSet>
          <FieldSet
            label={t('What a site can do')}
            hint={t(
              'Each switch is a default, which an export can override. A change takes effect with the next export.',
            )}
          >
            <Matrix {...state} />
          </FieldSet>
        </>
      )}
    </SettingsForm>
  )
}

type Choice = boolean | typeof BUNDLED

function choiceLabel(choice: Choice): string {
  if (choice === BUNDLED) return t('on, in air-gapped bundles too')
  return choice ? t('on') : t('off')
}

function isSwitched(feature: Feature, deployment: Deployment): boolean {
  return FEATURE_MATRIX[feature][deployment] === 'configurable' || isBundled(feature, deployment)
}

function isOnFor(choice: Choice, feature: Feature, deployment: Deployment): boolean {
  return isBundled(feature, deployment) ? choice === BUNDLED : choice !== false
}

/** Returns the setting; features of an air-gapped bundle are included in every other bundle too. */
function toChoice(isOn: boolean, feature: Feature, deployment: Deployment): Choice {
  if (isBundled(feature, deployment)) return isOn ? BUNDLED : true
  return isOn
}

function Matrix({ draft, set, mayChange }: SettingsState<FeatureDraft>) {
  return (
    <div class="overflow-x-auto rounded-md border border-line">
      <table class="w-full border-collapse text-13">
        <thead>
          <tr class="border-b border-line text-12 text-soft">
            <th scope="col" class="px-3 py-2 text-left font-normal">
              {t('Feature')}
            </th>
            {COLUMNS.map(({ name, label }) => (
              <th key={name} scope="col" class="px-2 py-2 text-center font-normal text-balance">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {BUILT_FEATURES.map((feature) => (
            <tr key={feature} class="border-b border-line last:border-0">
              <th scope="row" class="h-(--row) px-3 py-2 text-left font-normal">
                {FEATURE_LABELS[feature].label}
              </th>
              {COLUMNS.map(({ name, label }) => (
                <td key={name} class="px-2 text-center">
                  <span class="flex items-center justify-center">
                    {isChoosable(feature) && isSwitched(feature, name) ? (
                      <Switch
                        isBare
                        label={t('{feature}, {deployment}', {
                          feature: FEATURE_LABELS[feature].label,
                          deployment: label,
                        })}
                        isOn={isOnFor(draft.features[feature], feature, name)}
                        isOff={!mayChange}
                        onChange={(isOn) => {
                          const choice = toChoice(isOn, feature, name)
                          set({ features: { ...draft.features, [feature]: choice } })
                        }}
                      />
                    ) : FEATURE_MATRIX[feature][name] === 'yes' ? (
                      <Icon name="check" label={t('always')} class="text-success" />
                    ) : (
                      <span class="text-faint" title={NOT_POSSIBLE}>
                        <span aria-hidden="true">–</span>
                        <span class="sr-only">{NOT_POSSIBLE}</span>
                      </span>
                    )}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
