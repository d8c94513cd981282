/** Why a value is missing, in words for the table. */
export class NotMeasured extends Error {
  override readonly name = "NotMeasured";
}
