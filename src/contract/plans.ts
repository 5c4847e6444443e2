/** What each plan may do. */
export type Plan = 'free' | 'pro' | 'enterprise'
export type Capability = 'static_export'

export const PLANS: readonly Plan[] = ['free', 'pro', 'enterprise']

export const PLAN_CAPABILITIES: Record<Plan, Record<Capability, boolean>> = {
  free: { static_export: false },
  pro: { static_export: false },
  enterprise: { static_export: true },
}
