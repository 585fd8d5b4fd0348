import type { ErrorData } from "../protocol";
import { remedyOf } from "./remedies";
import { withTitles } from "./settingNames";

/** What a request that failed tells a person. */
export interface RequestFailure {
  readonly kind: string;
  readonly message: string;
  readonly remedy?: string;
  readonly data?: ErrorData;
}

const REQUEST_FAILED = -32803;
const INVALID_PARAMS = -32602;

/** Reads the failure of a request: the kind and remedy of a domain failure, else its words. */
export function failureOf(error: unknown): RequestFailure {
  const message = error instanceof Error ? error.message : String(error);
  const { code, data } = (error ?? {}) as { code?: number; data?: unknown };
  if (code === REQUEST_FAILED && isErrorData(data)) {
    const remedy = remedyOf(data);
    const told = withTitles(message, data.fix?.setting ? [data.fix.setting] : []);
    return { kind: data.kind, message: told, data, ...(remedy ? { remedy } : {}) };
  }
  if (code === INVALID_PARAMS && Array.isArray(data)) {
    const details = data.map(
      (one: { loc?: unknown[]; msg?: string }) => `${one.loc?.join(".")}: ${one.msg}`,
    );
    return { kind: "invalidParams", message: [message, ...details].join("; ") };
  }
  return { kind: "unforeseen", message };
}

/** A failure in one line, with what to do about it. */
export function failureText(error: unknown): string {
  const { message, remedy } = failureOf(error);
  return remedy ? `${message} ${remedy}` : message;
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === "object" && data !== null && typeof (data as ErrorData).kind === "string";
}
