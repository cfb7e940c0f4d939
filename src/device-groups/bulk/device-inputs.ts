import { BusinessError, invalidField } from '../../common/errors/business-error';
import { toDto } from '../../common/input/dto.pipe';
import { checkText, NOT_AN_OBJECT } from '../../common/input/fields';
import { UpsertDeviceRequest } from '../dto/device-upserts.dto';
import { SERIAL_NO_LENGTH } from '../limits';
import type { DeviceInputRow } from '../rules/device-upsert-plan';

/**
 * Validates one device of a request or file as if it were a request body. An invalid one is returned with its error.
 */
export async function parseInput(sent: unknown): Promise<DeviceInputRow> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { serialNo: null, refusal: invalidField('devices', NOT_AN_OBJECT) };
  try {
    const told = await toDto(UpsertDeviceRequest, sent);
    return { serialNo: told.serial_no, told };
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    const { serial_no: serialNo } = sent as { serial_no?: unknown };
    const isValid = serialNo !== '' && checkText(serialNo, { max: SERIAL_NO_LENGTH }) === undefined;
    return { serialNo: isValid ? (serialNo as string) : null, refusal: error };
  }
}
